// Pages of single lanes out of their waves' frames and into them, one workgroup a job. Jobs lie where the interpreter
// has its code: lane of the batch (GPUVM_PAGES_MAP: wave), page, place of the page's 256 words in the exchange.
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_GOOGLE_include_directive : require
#include "gpuvm_layout.glsl"
#include "gpuvm_pages.glsl"

void main() {
    const uvec4 job = code[gl_WorkGroupID.x];
    if (push.task == GPUVM_PAGES_MAP) {
        lane = gl_LocalInvocationID.x;
        wave_table = job.x * push.table_pages;
        if (page_table[wave_table + job.y] == 0)
            map_page(job.x, job.y, state[GPUVM_PROGRAM * push.lanes + job.x * WAVE + lane]);
        return;
    }
    lane = job.x % WAVE;
    wave_table = (job.x / WAVE) * push.table_pages;
    const uint frame = page_table[wave_table + job.y];
    const uint image = image_page(state[GPUVM_PROGRAM * push.lanes + job.x], job.y);
    for (uint word = gl_LocalInvocationID.x; word < 256; word += WAVE) {
        if (push.task == GPUVM_PAGES_SCATTER)
            pool[frame_word(frame - 1, word)] = exchange[job.z + word];
        else if (frame != 0)
            exchange[job.z + word] = pool[frame_word(frame - 1, word)];
        else
            exchange[job.z + word] = image != 0 ? data[image + word] : 0;
    }
}
